import { existsSync } from 'node:fs'
import { chromium as playwright } from 'playwright-core'
import type { BrowserServer } from 'playwright-core'

/** The shell draws pages and nothing around them: it takes half the time of a whole browser. */
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=zh-CN',
]

/** The machine's Chromium or Chrome, else the one that an npm package carries. */
export async function launchBrowser(): Promise<BrowserServer> {
  const own = installed.find((file) => existsSync(file))
  if (own) return playwright.launchServer({ executablePath: own, args: quiet })
  const { default: carried } = await import('@sparticuz/chromium')
  try {
    // What it is carried for wants one process for everything; there, whatever ends a page ends the browser with all of
    // its pages.
    const args = carried.args.filter((arg) => arg !== '--single-process')
    return await playwright.launchServer({ executablePath: await carried.executablePath(), args: [...args, ...quiet] })
  } catch (error) {
    throw new Error(
      `No browser could be started. Install Chromium (Debian: apt-get install chromium), or the library that is missing below.\n${String(error)}`,
    )
  }
}
