//! Mail: a message is a document, under who wrote to whom, and when.

use super::{Found, html, origin, refused, stem};
use crate::error::FileError;
use banyan_engine::Document;
use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::{Address, Message, MessageParser, PartType};

/// The message of a file. Cost O(bytes).
pub(super) fn message(file: &str, bytes: &[u8]) -> Result<Found, FileError> {
    let mut found = Found::default();
    take(&mut found, file, None, bytes);
    checked(file, found)
}

/// The messages of a mailbox. Cost O(bytes).
pub(super) fn mailbox(file: &str, bytes: &[u8]) -> Result<Found, FileError> {
    let mut found = Found::default();
    for (number, message) in (1..).zip(MessageIterator::new(bytes)) {
        let broken = |error| refused(file, format!("message {number}: not of a mailbox: {error:?}"));
        take(&mut found, file, Some(number), message.map_err(broken)?.contents());
    }
    checked(file, found)
}

fn checked(file: &str, found: Found) -> Result<Found, FileError> {
    if found.documents.is_empty() {
        return Err(refused(file, "no message with a text; expected mail as it is sent"));
    }
    Ok(found)
}

/// Takes a message; the one of that number in a mailbox is known by its id, else by the number.
fn take(found: &mut Found, file: &str, number: Option<usize>, bytes: &[u8]) {
    let Some(message) = MessageParser::default().parse(bytes) else {
        return;
    };
    let body = message.text_bodies().filter_map(|part| match &part.body {
        PartType::Text(text) => Some(text.trim().to_owned()),
        PartType::Html(page) => Some(html::document("", page).text),
        _ => None,
    });
    let body = body.collect::<Vec<_>>().join("\n\n").replace("\r\n", "\n");
    if body.trim().is_empty() && message.subject().is_none() {
        return;
    }
    let record = number.map(|number| message.message_id().map_or_else(|| number.to_string(), str::to_owned));
    let title = message.subject().map(str::trim).filter(|subject| !subject.is_empty());
    let title = title.unwrap_or_else(|| stem(file));
    let place = origin(file, record, None);
    if message.attachment_count() > 0 {
        let names: Vec<&str> = message
            .attachments()
            .filter_map(|part| mail_parser::MimeHeaders::attachment_name(part))
            .collect();
        let remark = format!(
            "{place}: {} attached and not read ({})",
            message.attachment_count(),
            names.join(", ")
        );
        found.remarks.push(remark);
    }
    found
        .documents
        .push(Document::new(title, format!("{}\n{body}", head(&message)), place));
}

/// Who wrote to whom, and when.
fn head(message: &Message<'_>) -> String {
    let people = |address: Option<&Address<'_>>| {
        let people = address.into_iter().flat_map(Address::iter);
        let people = people.filter_map(|one| match (&one.name, &one.address) {
            (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
            (name, address) => name.as_ref().or(address.as_ref()).map(ToString::to_string),
        });
        people.collect::<Vec<_>>().join(", ")
    };
    let date = message
        .date()
        .map(|date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day));
    let lines = [
        ("From", people(message.from())),
        ("To", people(message.to())),
        ("Cc", people(message.cc())),
        ("Date", date.unwrap_or_default()),
    ];
    let lines = lines.into_iter().filter(|(_, said)| !said.is_empty());
    lines
        .flat_map(|(name, said)| [name.to_owned(), ": ".to_owned(), said, "\n".to_owned()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = "From: Ada Quill <ada@quill.test>\r\nTo: bo@ferren.test\r\nSubject: =?UTF-8?Q?F=C3=A4hre?=\r\nDate: Sat, 20 Nov 2021 14:22:01 -0800\r\nMessage-ID: <7@quill.test>\r\n";

    fn check(found: &Found, expected: &[(&str, &str, &str)]) {
        let documents = found.documents.iter();
        let documents: Vec<_> = documents
            .map(|one| (one.title.as_str(), one.text.as_str(), one.origins[0].to_string()))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(title, text, place)| (*title, *text, (*place).to_owned()))
            .collect();
        assert_eq!(documents, expected);
    }

    #[test]
    fn a_message_is_a_document_with_its_people_and_day() {
        let plain = format!("{MESSAGE}\r\nThe Dipper\r\nis late.\r\n");
        let text = "From: Ada Quill <ada@quill.test>\nTo: bo@ferren.test\nDate: 2021-11-20\n\nThe Dipper\nis late.";
        check(
            &message("a.eml", plain.as_bytes()).unwrap(),
            &[("Fähre", text, "a.eml")],
        );
        let page = format!("{MESSAGE}Content-Type: text/html\r\n\r\n<p>The Dipper<br>is late.</p>");
        check(&message("a.eml", page.as_bytes()).unwrap(), &[("Fähre", text, "a.eml")]);
        let attached = format!(
            "{MESSAGE}Content-Type: multipart/mixed; boundary=\"-\"\r\n\r\n---\r\n\r\nThe Dipper\r\nis late.\r\n---\r\nContent-Type: image/png; name=\"dipper.png\"\r\nContent-Disposition: attachment\r\n\r\nx\r\n-----\r\n"
        );
        let found = message("a.eml", attached.as_bytes()).unwrap();
        check(&found, &[("Fähre", text, "a.eml")]);
        assert_eq!(found.remarks, ["a.eml: 1 attached and not read (dipper.png)"]);
    }

    #[test]
    fn a_mailbox_holds_messages_by_their_ids() {
        let from = "From ada@quill.test Sat Nov 20 14:22:01 2021\n";
        let (first, second) = (MESSAGE.replace("\r\n", "\n"), "Subject: Oak\n");
        let mailbox_text = format!("{from}{first}\nThe Dipper\nis late.\n\n{from}{second}\nA tree.\n");
        let text = "From: Ada Quill <ada@quill.test>\nTo: bo@ferren.test\nDate: 2021-11-20\n\nThe Dipper\nis late.";
        let expected = [("Fähre", text, "a.mbox#7@quill.test"), ("Oak", "\nA tree.", "a.mbox#2")];
        check(&mailbox("a.mbox", mailbox_text.as_bytes()).unwrap(), &expected);
        assert!(message("a.eml", b"\n\n").is_err());
    }
}
