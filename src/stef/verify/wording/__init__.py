"""The answer's wording: does every number and name in it stand in the rows, or follow from them?"""
