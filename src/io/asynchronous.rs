//! The readers, as asynchronous ones (feature `tokio`).
//!
//! A reader around an [`AsyncRead`] is itself an [`AsyncRead`] and an [`AsyncBufRead`]: the types are the same, and so are the text
//! and the errors. As long as the inner reader has nothing yet, nothing changes here, and the next poll goes on from the same
//! point. So nothing is lost if a read is dropped before it is done.

use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};

#[cfg(feature = "dynamic")]
use super::TranscodingReader;
use super::Utf8Reader;

/// Calls `body` with a function that reads from `inner`. The result is pending if that read is pending.
fn poll<R: AsyncRead + Unpin, T>(
    inner: &mut R,
    cx: &mut Context<'_>,
    body: impl FnOnce(&mut dyn FnMut(&mut [u8]) -> Result<usize>) -> Result<T>,
) -> Poll<Result<T>> {
    let mut pending = false;
    let result = body(&mut |buffer| {
        let ours = buffer.as_ptr();
        let mut buffer = ReadBuf::new(buffer);
        match Pin::new(&mut *inner).poll_read(cx, &mut buffer) {
            // The reader may have put a buffer of its own in place of ours, with what it has read.
            Poll::Ready(Ok(())) if buffer.filled().as_ptr() != ours => {
                Err(Error::other("the inner reader has replaced the buffer that it was given"))
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts a buffer of its own in the place of the one that it is given, which stays unwritten.
    struct Swapper;

    impl AsyncRead for Swapper {
        fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<Result<()>> {
            let own = Box::leak(vec![b'a'; to.remaining() + 10].into_boxed_slice());
            *to = ReadBuf::new(own);
            to.advance(to.remaining());
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn a_reader_that_swaps_the_buffer_is_an_error() {
        let cx = &mut Context::from_waker(std::task::Waker::noop());
        let mut reader = Utf8Reader::new(Swapper);
        let mut memory = [0; 100];
        let mut to = ReadBuf::new(&mut memory);
        let Poll::Ready(result) = Pin::new(&mut reader).poll_read(cx, &mut to) else { panic!("it is ready") };
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Other);
        assert_eq!(to.filled(), b"");
        // What is right is read.
        let Poll::Ready(result) = Pin::new(&mut Utf8Reader::new(&b"text"[..])).poll_read(cx, &mut to) else {
            panic!("it is ready")
        };
        assert!(result.is_ok() && to.filled() == b"text");
    }
}
