(causal-cause 1 2)
