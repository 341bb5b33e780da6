/**
 * The arrows of the house: what a file may import besides its own folder. Anything else fails, with the reason in the
 * message.
 */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })
const test = '[.]test[.]tsx?$|[.]examples[.]ts$'
const engine = (parts) => `^engine/(${parts.join('|')})`

/**
 * The rooms of the server, from the floor upwards: what each may import beside itself and the floor. Nothing leads back,
 * not even a type. `server.ts`, `prepare.ts`, `dataDiff.ts` (and its folder) and `procedure.ts`
 * stand above all of them.
 */
const floor = 'errors|clock|safety|turnstile|db|derived|SessionUser|HelpDocument'
const below = {
  files: [],
  sheets: ['files'],
  postgres: ['files'],
  'runtime|generation': ['postgres', 'files'],
  identity: ['runtime', 'generation', 'postgres', 'files'],
  records: ['runtime', 'generation', 'identity', 'postgres', 'files'],
}
below.catalog = ['records', ...below.records]
below.jobs = ['catalog', ...below.catalog]
below.imports = ['jobs', 'sheets', ...below.jobs]
below.exports = ['imports', ...below.imports]
below.http = ['exports', ...below.exports]
below.accounts = ['http', ...below.http]
below.screens = ['http', ...below.http]
below.procedure = ['records', ...below.records]
const inServer = (names) => `^engine/server/(${names.join('|')})(/|[.]ts$)`
const serverArrows = [
  rule(
    'server-floor',
    { path: inServer([floor]), pathNot: test },
    { path: '^engine/server/', pathNot: inServer([floor]) },
    'What every room of the server stands on imports none of them.',
  ),
  ...Object.entries(below).map(([room, others]) =>
    rule(
      `server-${room.split('|')[0]}`,
      { path: inServer([room]), pathNot: test },
      { path: '^engine/server/', pathNot: inServer([room, floor, ...others]) },
      `engine/server/${room} may import: ${others.join(', ') || 'no other room'}.`,
    ),
  ),
]

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      {},
      { circular: true },
      'No cycles, not even of types: move what both need to a place that both may import.',
    ),
    rule(
      'engine-knows-no-product',
      { path: '^engine/', pathNot: test },
      { path: '^(src|tests)/' },
      'The engine ships empty: the product hands it what it needs.',
    ),
    rule(
      'model-is-the-floor',
      { path: '^engine/model/', pathNot: test },
      { path: '^engine/', pathNot: '^engine/model/' },
      'The model is the vocabulary of everything else: it imports nothing.',
    ),
    rule(
      'expression-imports-the-model',
      { path: '^engine/expression/', pathNot: test },
      { path: '^engine/', pathNot: ['^engine/expression/', '^engine/model/'] },
      'Expressions import only the model.',
    ),
    rule(
      'schema-is-pure',
      { path: '^engine/schema/', pathNot: test },
      { path: engine(['client', 'server', 'widgets', 'screens']) },
      'The compiler is handed the lists of widgets and screen kinds.',
    ),
    rule(
      'schema-has-no-platform',
      { path: '^engine/(model|schema|expression)/', pathNot: test },
      { path: ['^react', 'antd', 'fastify', 'kysely'], dependencyTypes: ['npm'] },
      'Compiler and expressions are pure: no React, no Node, no database.',
    ),
    rule(
      'pure-has-no-node',
      { path: '^engine/(model|schema|expression|widgets|screens)/', pathNot: `${test}|[.]view[.]tsx$` },
      { dependencyTypes: ['core'] },
      'Pure halves run in the browser too: no Node.',
    ),
    rule(
      'pure-half-has-no-react',
      { path: '^engine/(widgets|screens)/.*[.]ts$', pathNot: `${test}|[vV]iews[.]ts$|/use[A-Z][A-Za-z]*[.]ts$` },
      { path: ['node_modules/(react|antd|@ant-design|@formily)', '[.]view[.]tsx$'] },
      'A pure half is read by the server: React belongs in the .view.tsx.',
    ),
    rule(
      'pure-half-imports-the-model',
      { path: '^engine/(widgets|screens)/.*[.]ts$', pathNot: `${test}|[vV]iews[.]ts$|/use[A-Z][A-Za-z]*[.]ts$` },
      {
        path: '^engine/',
        pathNot: ['^engine/model/', '^engine/expression/', '^engine/(widgets|screens)/'],
      },
      'A pure half imports the model, expressions, and its neighbours.',
    ),
    rule(
      'view-imports',
      { path: '^engine/(widgets|screens)/.*[.]tsx$', pathNot: test },
      {
        path: '^engine/',
        pathNot: ['^engine/model/', '^engine/client/', '^engine/(widgets|screens)/', '^engine/expression/'],
      },
      'A view imports its own pure half, the client and the model.',
    ),
    rule(
      'client-knows-no-widget',
      { path: '^engine/client/', pathNot: test },
      { path: engine(['widgets', 'screens', 'server']) },
      'The client knows no widget and no screen kind by name.',
    ),
    rule(
      'client-imports',
      { path: '^engine/client/', pathNot: test },
      { path: '^engine/schema/' },
      'The client imports the model and the shared verdict, not the compiler.',
    ),
    rule(
      'server-knows-no-widget',
      { path: '^engine/server/', pathNot: test },
      { path: engine(['widgets', 'screens', 'client']) },
      'The server is handed the lists of widgets and screen kinds.',
    ),
    ...serverArrows,
    rule(
      'one-form-engine',
      { path: '.', pathNot: '^engine/client/form' },
      { path: 'node_modules/@formily' },
      'Formily stays behind engine/client/form.tsx and the files named after it.',
    ),
    rule(
      'one-driver',
      { path: '.', pathNot: '^engine/server/postgres/|^tests/|[.]test[.]ts$' },
      { path: '^node_modules/pg/' },
      'Only engine/server/postgres names the driver.',
    ),
    rule(
      'one-way-to-write',
      {
        path: '^(engine|src)/',
        // Why these are exempt: docs/decisions/2026-11-23-unit-of-work.md.
        pathNot: `${test}|^src/demo/|^engine/server/records/|^engine/server/accounts/administrator[.]ts$|^engine/server/catalog/(applyFormulas|menuEntries|mirror|presets|singles)[.]ts$|^engine/server/imports/import(Actions|Read)[.]ts$`,
      },
      { path: '^engine/server/records/(write|columnValues|insertMany)[.]ts$' },
      'Records are written by apply(), with all that follows.',
    ),
    rule(
      'one-way-to-record',
      {
        path: '^(engine|src)/',
        pathNot: `${test}|^engine/server/records/|^engine/server/procedure/procedureWork[.]ts$`,
      },
      { path: '^engine/server/records/(history|setReferences|furtherChanges)[.]ts$' },
      'History is written with the change, by apply(); only the door of procedures adds to it.',
    ),
    rule(
      'frame-imports',
      { path: '^src/(main|shell|session|desk|help)', pathNot: test },
      {
        path: ['^engine/server', '^engine/schema/', '^src/(procedures|demo|commands)', '^src/server'],
      },
      'The frame imports the client and the lists.',
    ),
    rule(
      'node-side-imports',
      { path: '^src/(server|commands|demo|procedures)', pathNot: test },
      { path: ['^engine/client', '[.]view[.]tsx$', 'views[.]ts$'] },
      'The Node side imports no React.',
    ),
    rule(
      'procedures-use-the-door',
      { path: '^src/procedures/', pathNot: test },
      { path: ['^engine/server/', '^node_modules/kysely/'], pathNot: '^engine/server/procedure[.]ts$' },
      'Procedures read and change records through engine/server/procedure.ts, by the types of the schema files.',
    ),
    rule(
      'demo-reads-by-the-door',
      // Exempt: messages may be about any record that the schema files' rules name.
      { path: '^src/demo/', pathNot: `${test}|^src/demo/setting/messages[.]ts$` },
      { path: '^engine/server/records/reading/' },
      'Demo data read records through engine/server/procedure.ts; only what no operation writes is written past it.',
    ),
    rule(
      'dev-dependencies-in-tests',
      { path: '^(engine|src)/', pathNot: `${test}|^src/commands/` },
      { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types' },
      'What the product runs on is a dependency.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
