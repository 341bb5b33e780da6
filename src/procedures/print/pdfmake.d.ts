/** What is used of it; it brings no types. */
declare module 'pdfmake' {
  const printer: {
    setFonts(fonts: object): void
    setUrlAccessPolicy(allows: (url: string) => boolean): void
    setLocalAccessPolicy(allows: (file: string) => boolean): void
    createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
  }
  export default printer
}
