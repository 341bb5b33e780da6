import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../../../engine/server/procedure.ts'

/** In milliseconds, far beyond the largest document that an office prints. */
const longest = 120_000
const mostMegabytes = 1024

/** Kept for the next document, because it has read the fonts, ten megabytes each. */
let thread: Worker | undefined
let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Lays out a document in a thread of its own, one after another: a long one takes seconds without a pause, in which the
 * server would answer nobody.
 * @param definition pdfmake's
 * @param patience in milliseconds
 * @throws Refusal notAllowed if it takes too long or too much memory
 */
export function layOut(definition: object, patience = longest): Promise<Buffer> {
  const turn = lastTurn.then(() => layOutNow(definition, patience))
  lastTurn = turn.catch(() => undefined)
  return turn
}

function started(): Worker {
  const worker = new Worker(path.join(import.meta.dirname, 'pdfWorker.js'), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  })
  // Without a listener, an error after the end of a document would end the server.
  return worker.on('error', () => {
    if (thread === worker) thread = undefined
  })
}

function layOutNow(definition: object, patience: number): Promise<Buffer> {
  const worker = (thread ??= started())
  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
      thread = undefined
      void worker.terminate()
      end()
      reject(error)
    }
    const onMessage = (content: Uint8Array) => {
      end()
      resolve(Buffer.from(content))
    }
    const onError = (error: NodeJS.ErrnoException) =>
      stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error)
    const timer = setTimeout(() => stop(tooLarge()), patience)
    function end() {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError)
      // An idle thread keeps no process from ending.
      worker.unref()
    }
    worker.ref()
    worker.once('message', onMessage).once('error', onError)
    worker.postMessage(definition)
  })
}

export const tooLarge = () =>
  new Refusal('notAllowed', {
    text: {
      cn: '文件过大，无法排版，请分批打印或减少内容',
      en: 'The document is too large to be laid out: print fewer at a time, or shorten it',
    },
  })
