// gate
