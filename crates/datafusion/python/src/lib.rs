//! The SQL functions for DataFusion's Python package: the module `runecast_datafusion`.
//!
//! That package contains an engine of its own. What it takes from others comes through `datafusion-ffi`: structures of C in a capsule,
//! one for each function, which the engine calls with arrays of Arrow. The layout of these structures belongs to a version of
//! `datafusion-ffi`, so this crate and the Python package have to be of the same major version, 55 here.
//!
//! A function is an object with a method `__datafusion_scalar_udf__`, which is all that the Python package asks for; `register`
//! hands all of them to a session.

use std::sync::Arc;

use datafusion_expr::ScalarUDF;
use datafusion_ffi::udf::FFI_ScalarUDF;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// One function: `datafusion.udf(it)` makes it one of DataFusion's.
#[pyclass(frozen, module = "runecast_datafusion")]
struct Function(Arc<ScalarUDF>);

#[pymethods]
impl Function {
    /// The structure that the engine of another library can call.
    fn __datafusion_scalar_udf__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let function = FFI_ScalarUDF::from(Arc::clone(&self.0));
        PyCapsule::new_with_value(py, function, c"datafusion_scalar_udf")
    }

    /// The name in SQL.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("<runecast_datafusion.Function {}>", self.0.name())
    }
}

/// All functions.
#[pyfunction]
fn functions() -> Vec<Function> {
    runecast_datafusion::functions().into_iter().map(Function).collect()
}

/// Registers all functions with a `datafusion.SessionContext`. Functions of the same names are replaced.
#[pyfunction]
fn register(context: &Bound<'_, PyAny>) -> PyResult<()> {
    let udf = context.py().import("datafusion")?.getattr("udf")?;
    for function in functions() {
        context.call_method1("register_udf", (udf.call1((function,))?,))?;
    }
    Ok(())
}

/// runecast as SQL functions: `runecast_datafusion.register(context)`.
#[pymodule]
#[pyo3(name = "runecast_datafusion")]
fn module_of_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Function>()?;
    module.add_function(wrap_pyfunction!(functions, module)?)?;
    module.add_function(wrap_pyfunction!(register, module)?)
}
