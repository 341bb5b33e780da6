import type { Label } from '../../model/model.ts'

/** Refusals about imports and their sheets. */
export const importErrors = {
  sheetNone: {
    status: 422,
    message: {
      cn: '文件为空（0字节），请选择填写好的.xlsx文件',
      en: 'The file is empty (0 bytes), please choose the .xlsx file that you filled in',
    },
  },
  sheetTooLarge: {
    status: 422,
    message: {
      cn: '文件超过{size}MB，请拆分为多个文件后导入',
      en: 'The file exceeds {size} MB, please split it into several files',
    },
  },
  sheetOld: {
    status: 422,
    message: {
      cn: '这是旧版Excel文件（.xls），请用表格软件打开并另存为.xlsx后再导入',
      en: 'This is an old Excel file (.xls); please open it and save it as .xlsx',
    },
  },
  sheetEncrypted: {
    status: 422,
    message: {
      cn: '工作簿已加密，请取消打开密码并保存后再导入',
      en: 'The workbook is encrypted, please remove its password and save it again',
    },
  },
  sheetText: {
    status: 422,
    message: {
      cn: '这是文本文件（如CSV或网页），不是Excel工作簿，请用表格软件打开并另存为.xlsx',
      en: 'This is a text file (such as CSV or a web page), not an Excel workbook, please open it in a spreadsheet program and save it as .xlsx',
    },
  },
  sheetKind: {
    status: 422,
    message: {
      cn: '该文件不是Excel工作簿，请选择.xlsx文件',
      en: 'The file is not an Excel workbook, please choose an .xlsx file',
    },
  },
  sheetBook: {
    status: 422,
    message: {
      cn: '这是压缩包或其他类型的文档，不是.xlsx工作簿，请用表格软件打开并另存为.xlsx',
      en: 'This is an archive or another kind of document, not an .xlsx workbook, please open it in a spreadsheet program and save it as .xlsx',
    },
  },
  sheetBroken: {
    status: 422,
    message: {
      cn: '文件已损坏或不完整，请用表格软件打开并重新保存后再导入',
      en: 'The file is damaged or incomplete, please open it in a spreadsheet program and save it again',
    },
  },
  sheetMissing: {
    status: 422,
    message: {
      cn: '工作簿中没有可见的工作表，请下载模板填写后导入',
      en: 'The workbook has no visible sheet, please download the template and fill it in',
    },
  },
  sheetUnpacked: {
    status: 422,
    message: {
      cn: '文件解压后内容过大，无法读取，请将数据复制到新下载的模板中再导入',
      en: 'The content of the file is too large once unpacked, please copy the data into a newly downloaded template',
    },
  },
  sheetRows: {
    status: 422,
    message: {
      cn: '数据超过{limit}行，请拆分为多个文件后导入',
      en: 'There are more than {limit} rows of data, please split them into several files',
    },
  },
  sheetColumns: {
    status: 422,
    message: {
      cn: '单元格{cell}有内容，但表格最多{limit}列，请删除多余的列',
      en: 'Cell {cell} has content, but a sheet may have at most {limit} columns, please delete the extra columns',
    },
  },
  sheetCell: {
    status: 422,
    message: {
      cn: '单元格{cell}的内容超过{limit}个字符，请缩短',
      en: 'The content of cell {cell} exceeds {limit} characters, please shorten it',
    },
  },
  importTemplate: {
    status: 422,
    message: {
      cn: '导入模板不正确：{columns}。请下载最新模板',
      en: 'Wrong template: {columns}. Please download the latest one',
    },
  },
  importsUnderWay: {
    status: 429,
    message: {
      cn: '同一用户最多有{limit}个导入同时处理，请待其中一些完成后再试',
      en: 'At most {limit} imports of one user are processed at a time; please try again when some of them have finished',
    },
  },
  importFileUsed: {
    status: 409,
    message: {
      cn: '该文件已经用于另一个导入，请重新上传',
      en: 'The file already belongs to another import, please upload it again',
    },
  },
  importEmpty: { status: 422, message: { cn: '文件中没有数据', en: 'The file has no data' } },
  importStatus: {
    status: 409,
    message: { cn: '该批次当前状态不允许此操作', en: 'This is not possible in the current state of the batch' },
  },
  importEdited: {
    status: 409,
    message: {
      cn: '以下行写入后已被修改或使用，不能撤销：{rows}',
      en: 'These rows have been changed or used since, so the import cannot be undone: {rows}',
    },
  },
  importFollowed: {
    status: 409,
    message: {
      cn: '导入产生的记录已被修改或使用，不能撤销：{names}',
      en: 'Records created by the import have been changed or used since, so it cannot be undone: {names}',
    },
  },
  importGuarded: {
    status: 409,
    message: { cn: '不能撤销此导入：{why}', en: 'The import cannot be undone: {why}' },
  },
} satisfies Record<string, { status: number; message: Label }>
