import type { Archive } from './archive.ts'
import { scanPart } from './workbook.ts'
import { attribute } from './xmlScanner.ts'

const firstOwnFormat = 164
const day = 86_400_000
const lastDay = 2_958_466

/** For each cell style, by its number: whether it shows dates or times. */
export async function readDateStyles(archive: Archive, part: string | undefined): Promise<boolean[]> {
  const formats = new Map<string, boolean>()
  const styles: boolean[] = []
  if (part === undefined || !archive.has(part)) return styles
  let inCells = false
  await scanPart(archive, part, {
    open(name, attributes) {
      if (name === 'numFmt')
        formats.set(attribute(attributes, 'numFmtId') ?? '', isDateFormat(attribute(attributes, 'formatCode') ?? ''))
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) {
        const format = attribute(attributes, 'numFmtId') ?? '0'
        styles.push(formats.get(format) ?? isBuiltInDate(Number(format)))
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return styles
}

/** Format numbers below 164 are built in; those from 27 and 50 on are East Asian dates. */
const isBuiltInDate = (format: number) =>
  format < firstOwnFormat &&
  [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ].some(([first, last]) => format >= first && format <= last)

/**
 * Colours, conditions and quoted words also contain letters, so they are removed first. What is not closed goes to the
 * end, so that many openings are not each searched.
 */
function isDateFormat(format: string): boolean {
  if (/\[(h+|m+|s+)\]/i.test(format)) return true
  return /[ymdhs]/i.test(format.replace(/"[^"]*"?|\\.|\[[^\]]*\]?|[_*]./g, '').replace(/general/gi, ''))
}

/** The number by which a sheet stores the UTC fields of a Date, the reverse of `dateOf`. */
export function serialOf(date: Date): number {
  const serial = (date.getTime() - Date.UTC(1899, 11, 30)) / day
  return serial < 61 ? serial - 1 : serial
}

/**
 * The day and time that a sheet shows for a number, as the UTC fields of a Date; the number itself if it is not a date.
 */
export function dateOf(serial: number, from1904: boolean): Date | number {
  if (serial < 0 || serial >= lastDay) return serial
  if (from1904) return new Date(Date.UTC(1904, 0, 1) + Math.round(serial * day))
  // Spreadsheets count a 29 February 1900, which did not exist.
  return new Date(Date.UTC(1899, 11, serial < 60 ? 31 : 30) + Math.round(serial * day))
}
