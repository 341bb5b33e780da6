/**
 * Attributes of a button that may become unavailable while focused, for example when pressed. `disabled` would drop the
 * focus, and keyboard users would lose their place.
 */
export const pressable = (isPossible: boolean, act: () => void) =>
  isPossible ? { onClick: act } : { 'aria-disabled': true }
