/**
 * The hidden sheet of a template: A1 holds the marker, the columns after it what drop-downs offer. Any spreadsheet
 * program keeps it.
 */
export const markerSheet = '_template'
