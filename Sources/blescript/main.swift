print("blescript")
