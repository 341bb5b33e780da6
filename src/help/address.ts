export const helpRoute = '/help'

/** The help on a screen; without one, the start of the help. */
export const helpOn = (screen?: string): string =>
  screen === undefined ? helpRoute : `${helpRoute}?at=${encodeURIComponent(screen)}`
