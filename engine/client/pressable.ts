/**
 * The attributes of a button that may cease to be possible while it has the focus, such as by being pressed: disabled,
 * it would lose it, and keyboard users with it their place.
 */
export const pressable = (isPossible: boolean, act: () => void) =>
  isPossible ? { onClick: act } : { 'aria-disabled': true }
