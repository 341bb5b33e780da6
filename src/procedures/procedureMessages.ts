/** The types of the messages that procedures send by themselves. */
export const procedureMessages = [
  'monthClosed',
  'taxDeadline',
  'ticketIncomplete',
  'ticketMissing',
  'householdChanged',
] as const
