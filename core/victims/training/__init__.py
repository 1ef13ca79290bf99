"""How the victims were trained and measured; nothing here is needed to use them."""
