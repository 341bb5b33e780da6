/** The sources after whose change `npm run dev` starts its server again; schema files are read without that. */
export const watchedPaths = ['engine', 'src/procedures', 'src/server.ts']
