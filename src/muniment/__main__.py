"""`python -m muniment` is the command line."""

from muniment.surfaces.cli import main

if __name__ == "__main__":
    main()
