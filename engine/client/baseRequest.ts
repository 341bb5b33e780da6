/** Who sends a request, and the locale in which the answer is wanted. */
export interface Sender {
  token: string
  language: string
}

/** The parameters in the address of every request. */
export const baseParameters = ({ token, language }: Sender) => ({ timestamp: Date.now(), token, language })

/** The headers of every request. */
export const baseHeaders = ({ token, language }: Sender) => ({
  token,
  language,
  client: 'web',
  'client-version': '1.0.0',
})
