"""The command line ``deepsearch``: wiring of the public functions, one file per command group."""
