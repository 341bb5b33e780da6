import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import printer from 'pdfmake'

/**
 * The thread that lays out documents, each sent as pdfmake's definition and answered with its file. It reads no file but
 * the fonts, of which a document embeds only what it needs, and no address.
 */

// JavaScript, because a thread reads its file as it is.
const require = createRequire(import.meta.url)
const normal = require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf')
const bold = require.resolve('@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf')

printer.setFonts({ Noto: { normal, bold, italics: normal, bolditalics: bold } })
printer.setUrlAccessPolicy(() => false)
printer.setLocalAccessPolicy((file) => file === normal || file === bold)

parentPort?.on('message', async (/** @type {object} */ definition) => {
  parentPort?.postMessage(await printer.createPdf(definition).getBuffer())
})
