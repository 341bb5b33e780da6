import { existsSync } from 'node:fs'
import { chromium as playwright } from 'playwright-core'
import type { BrowserServer } from 'playwright-core'

/** The headless shell takes half the time of a whole browser, since it draws nothing but pages. */
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

/** The Chromium or Chrome of the machine, or else the one carried by an npm package. */
export async function launchBrowser(): Promise<BrowserServer> {
  const own = installed.find((file) => existsSync(file))
  if (own) return playwright.launchServer({ executablePath: own, args: quiet })
  const { default: carried } = await import('@sparticuz/chromium')
  try {
    // The package is meant for a single process, in which anything that ends one page ends the browser with all its
    // pages.
    const args = carried.args.filter((arg) => arg !== '--single-process')
    return await playwright.launchServer({ executablePath: await carried.executablePath(), args: [...args, ...quiet] })
  } catch (error) {
    throw new Error(
      `No browser could be started. Install Chromium (Debian: apt-get install chromium), or the library that is missing below.\n${String(error)}`,
    )
  }
}
