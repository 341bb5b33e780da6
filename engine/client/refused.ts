/**
 * The attributes of an action that the user may not take: it looks unavailable and says for whom it is. It can still be
 * pressed, and then answers in the words of the specification, so it is not `aria-disabled`.
 */
export const refused = (refusal: string | undefined) =>
  refusal === undefined ? {} : { 'data-refused': true, title: refusal, 'aria-description': refusal }
