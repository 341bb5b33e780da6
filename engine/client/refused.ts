/**
 * The attributes of an action that the user may not take: it looks unavailable and explains who may take it. It can
 * still be pressed, and then answers with the specification's text, so it is not `aria-disabled`.
 */
export const refused = (refusal: string | undefined) =>
  refusal === undefined ? {} : { 'data-refused': true, title: refusal, 'aria-description': refusal }
