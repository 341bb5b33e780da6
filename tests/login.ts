import type { TestServer } from './server.ts'

/** What a sign-in answers, whether it succeeds or not. */
export const login = async ({ server }: TestServer, username: string, password: string) =>
  (
    await server.inject({
      method: 'POST',
      url: '/api/vue-element-admin/user/login',
      payload: { username, password },
    })
  ).json()
