/**
 * The hidden sheet of a template: A1 has the marker, the following columns have the options of drop-downs. Every
 * spreadsheet program preserves it.
 */
export const markerSheet = '_template'
