(joint-list NN 2 1)
