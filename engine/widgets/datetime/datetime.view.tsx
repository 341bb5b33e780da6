import { calendarView } from '../calendar.view.tsx'

export const datetimeView = calendarView('datetime')
