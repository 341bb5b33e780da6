// @vitest-environment jsdom
/** Runs these tests in one page, because loading the page takes longer than most of them. */
import { describe } from 'vitest'
import '../../tests/page.tsx'

const part = (name: string, load: () => Promise<unknown>) => describe(name, async () => void (await load()))

part('access', () => import('./access.test.tsx'))
part('a change of the password', () => import('./ChangePassword.test.tsx'))
part('an ended session', () => import('./endedSession.test.tsx'))
part('the addresses of the frame', () => import('./routes.test.tsx'))
part('the shell', () => import('./Shell.test.tsx'))
