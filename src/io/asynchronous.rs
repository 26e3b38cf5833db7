//! The readers, as asynchronous ones (feature `tokio`).
//!
//! A reader around an [`AsyncRead`] is one itself, and an [`AsyncBufRead`]: the same types with the same text and the same
//! errors. While the inner reader has nothing yet, nothing changes here, and the next poll goes on from the same point. So
//! nothing is lost if a read is dropped before it is done.

use std::io::{ErrorKind, Result};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

#[cfg(feature = "dynamic")]
use super::TranscodingReader;
use super::Utf8Reader;

/// Calls `body` with a function that reads from `inner`. The result is pending if that read was.
fn poll<R: AsyncRead + Unpin, T>(
    inner: &mut R,
    cx: &mut Context<'_>,
    body: impl FnOnce(&mut dyn FnMut(&mut [u8]) -> Result<usize>) -> Result<T>,
) -> Poll<Result<T>> {
    let mut pending = false;
    let result = body(&mut |buffer| {
        let mut buffer = ReadBuf::new(buffer);
        match Pin::new(&mut *inner).poll_read(cx, &mut buffer) {
            Poll::Ready(result) => result.map(|()| buffer.filled().len()),
            Poll::Pending => {
                pending = true;
                Err(ErrorKind::WouldBlock.into())
            }
        }
    });
    match result {
        Err(_) if pending => Poll::Pending,
        result => Poll::Ready(result),
    }
}

/// Implements the two traits for a reader.
macro_rules! asynchronous {
    ($($reader:ty),*) => {
        $(
            impl<R: AsyncRead + Unpin> AsyncRead for $reader {
                fn poll_read(
                    self: Pin<&mut Self>,
                    cx: &mut Context<'_>,
                    to: &mut ReadBuf<'_>,
                ) -> Poll<Result<()>> {
                    let this = self.get_mut();
                    let unfilled = to.initialize_unfilled();
                    poll(&mut this.inner, cx, |refill| this.text.read(unfilled, refill))
                        .map_ok(|count| to.advance(count))
                }
            }

            impl<R: AsyncRead + Unpin> AsyncBufRead for $reader {
                fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<&[u8]>> {
                    let this = self.get_mut();
                    poll(&mut this.inner, cx, |refill| this.text.fill(refill))
                }

                fn consume(self: Pin<&mut Self>, bytes: usize) {
                    self.get_mut().text.consume(bytes);
                }
            }
        )*
    };
}

asynchronous!(Utf8Reader<R>);
#[cfg(feature = "dynamic")]
asynchronous!(TranscodingReader<'_, R>);
