export interface BucketAddress {
  bucket: string
  /** The prefix of every key; empty, or ends with `/`. */
  prefix: string
  /** The address of the keys. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  /** Its name for operators; holds no credentials. */
  place: string
}

type Environment = Record<string, string | undefined>

export const isBucketAddress = (text: string): boolean => /^s3:/i.test(text)

const known = ['endpoint', 'region', 'style']

/**
 * `s3://bucket/prefix?endpoint=…&region=…&style=path|host`, with credentials from the usual environment variables.
 * @param setting names the address in messages
 * @throws with a sentence for the operator that repeats nothing of the address, which may contain secrets
 */
export function bucketAddress(text: string, setting: string, environment: Environment): BucketAddress {
  const refuse = (reason: string) => new Error(`${setting} ${reason}`)
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const bucket = parsed?.host ?? ''
  const prefix = parsed?.pathname.replace(/^\/+|\/+$/g, '') ?? ''
  if (!parsed || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || !/^[\w./-]*$/.test(prefix))
    throw refuse('is no address of a bucket: s3://bucket/prefix?endpoint=…&region=…')
  if (parsed.username || parsed.password)
    throw refuse('holds credentials; give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const unknown = [...parsed.searchParams.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw refuse(`has an unknown parameter; known are: ${known.join(', ')}.`)

  const region =
    parsed.searchParams.get('region') || environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1'
  const given =
    parsed.searchParams.get('endpoint') || environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL || ''
  const wanted = given || `https://s3.${region}.amazonaws.com`
  const endpoint = URL.canParse(wanted) ? new URL(wanted) : undefined
  if (!endpoint || !/^https?:$/.test(endpoint.protocol) || endpoint.username || endpoint.password)
    throw refuse('has an endpoint that is no address; it must begin with https:// or http:// and hold no credentials.')
  const style = parsed.searchParams.get('style') ?? 'path'
  if (style !== 'path' && style !== 'host') throw refuse('has an unknown style; known are: path, host.')
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw refuse('needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')

  const base = endpoint.href.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return {
    bucket,
    prefix: prefix && `${prefix}/`,
    url: style === 'path' ? `${base}/${bucket}` : base.replace('://', `://${bucket}.`),
    region,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    place: `s3://${bucket}${prefix && `/${prefix}`} on ${endpoint.host}`,
  }
}
