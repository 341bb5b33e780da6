/** The specification's constants of the frame, each with its section. */
export const constants = {
  /** Section 9, layout (pixels). shell.css has the same numbers. */
  headerHeight: 52,
  sidebarExpanded: 205,
  sidebarCollapsed: 65,
  mobileBelow: 992,
  /** Section 9, the sidebar as a drawer (pixels). */
  sidebarWidth: 210,
  /** Section 9, default theme colour. */
  themeColour: '#1890ff',
  /** Section 9, menu badge maximum. */
  badgeMaximum: 99,
  /** Section 9, search fuzzy threshold. */
  searchThreshold: 0.4,
  /** Section 9, progress bar: milliseconds of a step, and where it starts. */
  progressSpeed: 500,
  progressMinimum: 0.2,
  /** Sections 7 and 9: timeout of a call of the older client (milliseconds). */
  legacyTimeout: 5000,
  /** Sections 8 and 9: how long messages are shown (milliseconds). */
  errorToast: 5000,
} as const
