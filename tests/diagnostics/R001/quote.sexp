(joint-list NN "因为下雨， 2)
