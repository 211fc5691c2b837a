"""Anybody's pygame program, not one line of it changed: started, stepped and asked as a game is.

What the program reaches for is interposed on, one module for each kind of thing. Each of them is
an ``Interposition`` that stands on the one ``Runtime`` of the process, and on nothing else here.
"""
