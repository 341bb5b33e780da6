import { truncateText } from '../../model/truncateText.ts'
import { extname } from 'node:path'

/** What may be uploaded: extension → the type it is served with, and how its content begins. */
export interface FileType {
  type: string
  inline?: boolean
  begins: (head: Buffer) => boolean
  /** The error for other content. */
  otherwise?: (head: Buffer) => 'fileContent' | 'sheetText' | 'sheetKind'
}

const bytes =
  (...signature: number[]) =>
  (head: Buffer) =>
    signature.every((byte, index) => head[index] === byte)
const ascii =
  (text: string, at = 0) =>
  (head: Buffer) =>
    head.subarray(at, at + text.length).toString('latin1') === text
const zip = ascii('PK\x03\x04')
const ole = bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)
/** Text contains no NUL; if it is not UTF-8, it may still be an older Chinese encoding. */
const plain = (head: Buffer) => !head.includes(0)
const office = (kind: string) => ({ type: `application/vnd.openxmlformats-officedocument.${kind}`, begins: zip })

const fileTypes: Record<string, FileType> = {
  '.jpg': { type: 'image/jpeg', inline: true, begins: bytes(0xff, 0xd8, 0xff) },
  '.jpeg': { type: 'image/jpeg', inline: true, begins: bytes(0xff, 0xd8, 0xff) },
  '.png': { type: 'image/png', inline: true, begins: bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  '.gif': { type: 'image/gif', inline: true, begins: (head) => ascii('GIF87a')(head) || ascii('GIF89a')(head) },
  '.bmp': { type: 'image/bmp', inline: true, begins: ascii('BM') },
  '.webp': { type: 'image/webp', inline: true, begins: (head) => ascii('RIFF')(head) && ascii('WEBP', 8)(head) },
  '.tiff': { type: 'image/tiff', begins: (head) => ascii('II*\0')(head) || ascii('MM\0*')(head) },
  '.psd': { type: 'image/vnd.adobe.photoshop', begins: ascii('8BPS') },
  // SVG can contain scripts, so it is only ever downloaded.
  '.svg': { type: 'image/svg+xml', begins: (head) => plain(head) && /<svg[\s>]/i.test(head.toString('utf8')) },
  '.pdf': { type: 'application/pdf', begins: ascii('%PDF-') },
  '.docx': office('wordprocessingml.document'),
  // An encrypted workbook begins like an old one; only its reader can tell them apart.
  '.xlsx': {
    ...office('spreadsheetml.sheet'),
    begins: (head) => zip(head) || ole(head),
    otherwise: (head) => (plain(head) ? 'sheetText' : 'sheetKind'),
  },
  '.pptx': office('presentationml.presentation'),
  '.doc': { type: 'application/msword', begins: ole },
  '.xls': { type: 'application/vnd.ms-excel', begins: ole },
  '.ppt': { type: 'application/vnd.ms-powerpoint', begins: ole },
  '.zip': { type: 'application/zip', begins: zip },
  '.apk': { type: 'application/vnd.android.package-archive', begins: zip },
  '.ipa': { type: 'application/octet-stream', begins: zip },
  '.wgt': { type: 'application/octet-stream', begins: zip },
  '.txt': { type: 'text/plain; charset=utf-8', begins: plain },
  '.csv': { type: 'text/csv; charset=utf-8', begins: plain },
}

/** How many of the first bytes are inspected. */
export const headLength = 1024

export const fileTypeOf = (name: string): FileType | undefined => fileTypes[extname(name).toLowerCase()]

/** A user's file name without paths, control characters and what some file systems reject; the extension stays. */
export function cleanFileName(name: string): string {
  // Handles names such as `C:\a\b.png` from some browsers, and overlong ones.
  const base = name
    .normalize('NFC')
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\p{C}<>:"'|?*#%]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/\.{2,}/g, '.')
    .replace(/^[. ]+/, '')
    .trim()
  const extension = truncateText(extname(base), 12)
  return `${truncateText(base.slice(0, base.length - extname(base).length), 100) || 'file'}${extension}`
}
