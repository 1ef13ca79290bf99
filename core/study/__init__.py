"""Studies: human ratings of validity and perceptibility, collected for publication."""
