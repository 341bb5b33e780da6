import { calendarView } from '../calendar.view.tsx'

export const monthView = calendarView('month')
