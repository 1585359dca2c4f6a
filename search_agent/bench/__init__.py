"""Questions with known answers + ask() → measures: how right, how well cited, how fast."""
