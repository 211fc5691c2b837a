"""What is wrong with a game before it is played: its files, and frame 0 of each scene."""
