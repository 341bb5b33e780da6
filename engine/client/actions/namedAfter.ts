/** The attributes of a control of a record, called by its own text and the record's name, which `ownerId` holds. */
export const namedAfter = (ownerId: string | undefined, name: string) =>
  ownerId === undefined ? {} : { id: `${ownerId}-${name}`, 'aria-labelledby': `${ownerId}-${name} ${ownerId}` }
