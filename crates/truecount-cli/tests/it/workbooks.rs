//! Sheets of Excel workbooks: which one is read, and errors that name the sheet and the cell.

use crate::common::{Folder, workbook};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook, Worksheet};

fn header(sheet: &mut Worksheet, row: u32, names: &[&str]) {
    names.iter().zip(0..).for_each(|(name, column)| _ = sheet.write_string(row, column, *name).unwrap());
}

/// Returns a workbook whose table lies between a hidden sheet and another one.
fn book() -> Vec<u8> {
    let mut workbook = Workbook::new();
    let date = Format::new().set_num_format("dd.mm.yy");
    workbook.add_worksheet().set_name("Notes").unwrap().set_hidden(true).write_string(0, 0, "score").unwrap();
    let sheet = workbook.add_worksheet().set_name("Data").unwrap().set_active(true);
    header(sheet, 2, &["", " score ", "day"]);
    for row in 3..30 {
        sheet.write_number(row, 1, f64::from(row % 7) / 2.0).unwrap();
        let day = ExcelDateTime::from_ymd(2024, 2, 27).unwrap();
        sheet.write_datetime_with_format(row, 2, day, &date).unwrap();
    }
    header(workbook.add_worksheet().set_name("Other").unwrap(), 0, &["score"]);
    workbook.save_to_buffer().unwrap()
}

/// A folder with workbooks that have errors in cells, headers and sheets.
pub fn folder() -> Folder {
    let book = book();
    let cell = |fill: &dyn Fn(&mut Worksheet)| {
        workbook(|sheet| {
            header(sheet, 0, &["score", "g"]);
            (1..30).for_each(|row| _ = sheet.write_number(row, 0, 0.5).unwrap().write_string(row, 1, "a").unwrap());
            fill(sheet);
        })
    };
    let wide = workbook(|sheet| {
        sheet.write_string(0, 27, "score").unwrap().write_string(1, 27, "high").unwrap();
        // The last cell of a sheet: a table of all cells would have 1.7e10.
        sheet.write_number(1_048_575, 16_383, 1).unwrap();
    });
    let times = workbook(|sheet| {
        let format = Format::new().set_num_format("hh:mm:ss");
        header(sheet, 0, &["score", "start"]);
        for (row, (hour, minute, second)) in (1..).zip([(7, 30, 0.0), (0, 0, 0.0), (23, 59, 58.0), (7, 30, 0.0)]) {
            let time = ExcelDateTime::from_hms(hour, minute, second).unwrap();
            sheet.write_number(row, 0, f64::from(row) / 10.0).unwrap();
            sheet.write_datetime_with_format(row, 1, time, &format).unwrap();
        }
    });
    Folder::with_train()
        .file("book.xlsx", &book)
        .file("times.xlsx", times)
        .file(
            "error.xlsx",
            cell(&|sheet| _ = sheet.write_formula(16, 0, Formula::new("=1/0").set_result("#DIV/0!")).unwrap()),
        )
        .file("empty.xlsx", cell(&|sheet| _ = sheet.write_string(16, 0, " ").unwrap()))
        .file("text.xlsx", cell(&|sheet| _ = sheet.write_string(16, 0, "low").unwrap()))
        .file("mixed.xlsx", cell(&|sheet| _ = sheet.write_string(16, 0, "7,5 %").unwrap()))
        .file(
            "na.xlsx",
            cell(&|sheet| _ = sheet.write_formula(16, 1, Formula::new("=NA()").set_result("#N/A")).unwrap()),
        )
        .file("twice.xlsx", cell(&|sheet| _ = sheet.write_string(0, 2, "score").unwrap()))
        .file("wide.xlsx", wide)
        .file("nothing.xlsx", workbook(|_| ()))
        .file("header.xlsx", workbook(|sheet| header(sheet, 7, &["score"])))
}
