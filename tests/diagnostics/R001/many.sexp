(joint-list NN 1 2 3)
