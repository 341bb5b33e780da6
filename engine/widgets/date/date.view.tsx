import { calendarView } from '../calendar.view.tsx'

export const dateView = calendarView('date')
