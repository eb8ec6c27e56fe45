(joint-list NN 1
  (joint-list NN 2 3)
