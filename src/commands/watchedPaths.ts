/** Sources whose change makes `npm run dev` restart its server; schema files are read without that. */
export const watchedPaths = ['engine', 'src/procedures', 'src/server.ts']
