"""The page Results: experiments on many sentences."""
