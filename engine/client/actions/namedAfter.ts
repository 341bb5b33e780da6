/** The attributes of a control of a record, called by its own text and the record's name, which `of` holds. */
export const namedAfter = (of: string | undefined, name: string) =>
  of === undefined ? {} : { id: `${of}-${name}`, 'aria-labelledby': `${of}-${name} ${of}` }
