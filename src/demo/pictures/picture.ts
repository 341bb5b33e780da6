import { crc32, deflateSync } from 'node:zlib'
import { glyphs } from './glyphs.ts'

/** Width and height in pixels of a card and of a banner. */
const sizes = { card: [360, 240], banner: [960, 300] } as const
type Colour = readonly [number, number, number]
const palettes: readonly { paper: Colour; ink: Colour; band: Colour }[] = [
  { paper: [255, 250, 240], ink: [150, 40, 30], band: [244, 214, 190] },
  { paper: [240, 248, 255], ink: [20, 70, 140], band: [196, 219, 245] },
  { paper: [244, 252, 244], ink: [30, 100, 60], band: [200, 232, 205] },
]

/**
 * A card or a banner with its label and 样张 (sample) across it, as PNG: the pictures of the demo data show nothing real.
 */
export function samplePicture(label: string, palette: number, shape: keyof typeof sizes = 'card'): Buffer {
  const [width, height] = sizes[shape]
  const { paper, ink, band } = palettes[palette % palettes.length]
  const pixels = Buffer.alloc(width * height * 3)
  const put = (x: number, y: number, colour: Colour) => {
    if (x >= 0 && y >= 0 && x < width && y < height) pixels.set(colour, (y * width + x) * 3)
  }
  const blend = (x: number, y: number, colour: Colour, part: number) => {
    const at = (y * width + x) * 3
    const channel = (value: number, index: number) => Math.round(value * part + pixels[at + index] * (1 - part))
    put(x, y, [channel(colour[0], 0), channel(colour[1], 1), channel(colour[2], 2)])
  }
  const draw = (text: string, left: number, top: number, scale: number, colour: Colour) => {
    ;[...text].forEach((character, position) => {
      const bits = glyphs[character]
      if (!bits) return
      const bit = (x: number, y: number) =>
        x < 0 || y < 0 || x > 23 || y > 23 ? 0 : Number.parseInt(bits[(y * 24 + x) >> 2], 16) & (8 >> (x & 3)) ? 1 : 0
      for (let index = 0; index < 576 * scale * scale; index++) {
        const [x, y] = [index % (24 * scale), Math.floor(index / (24 * scale))]
        // Interpolates between the four nearest dots, so that large characters have no steps.
        const [u, v] = [(x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5]
        const [dot, row] = [Math.floor(u), Math.floor(v)]
        const between = (at: number) => bit(dot, at) * (1 - u + dot) + bit(dot + 1, at) * (u - dot)
        const ink = Math.min(
          1,
          Math.max(0, (between(row) * (1 - v + row) + between(row + 1) * (v - row) - 0.5) * scale + 0.5),
        )
        if (ink > 0) blend(left + position * 26 * scale + x, top + y, colour, ink)
      }
    })
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const edge = Math.min(x, y, width - 1 - x, height - 1 - y)
      put(x, y, edge >= 8 && edge < 10 ? ink : Math.abs(x * 0.62 + y - width * 0.695) < 34 ? band : paper)
    }
  }
  if (shape === 'banner') {
    draw(label, 80, 84, 4, ink)
    draw('样张', width - 220, 40, 2, ink)
  } else {
    draw(label, Math.round((width - label.length * 26) / 2), 30, 1, ink)
    for (let line = 0; line < 4; line++)
      for (let x = 40; x < width - 40 - line * 30; x++) for (let y = 0; y < 3; y++) put(x, 92 + line * 30 + y, band)
    draw('样张', 190, 140, 2, ink)
  }
  return encode(pixels, width, height)
}

function encode(pixels: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++) pixels.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
