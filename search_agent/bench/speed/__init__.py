"""How build, memory, disk and latency grow with a corpus, ours beside other systems."""
