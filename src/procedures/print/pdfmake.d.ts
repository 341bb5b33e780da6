/** Types of the parts in use, because it comes without types. */
declare module 'pdfmake' {
  const printer: {
    setFonts(fonts: object): void
    setUrlAccessPolicy(allows: (url: string) => boolean): void
    setLocalAccessPolicy(allows: (file: string) => boolean): void
    createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
  }
  export default printer
}
