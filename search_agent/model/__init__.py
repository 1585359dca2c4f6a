"""Language models behind one protocol: llama.cpp in process, a script for tests, a replay of
records; and the registry that says where the bytes of the named models come from.
"""
